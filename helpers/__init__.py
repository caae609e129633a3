"""The course's shared package.  Import its modules one by one."""
