"""For The Littlest JupyterHub: what a learner's server gets.

It goes to /opt/tljh/config/jupyterhub_config.d; see teaching/many_learners.md.
"""

c = get_config()  # noqa: F821
c.Spawner.environment.update(
    {
        "OMP_NUM_THREADS": "1",
        "COURSE_COPIES": "my_course",  # or student: without solutions
        # Git makes the copies after each clone and pull; see hooks.
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.hooksPath",
        "GIT_CONFIG_VALUE_0": "/opt/attention-measured/teaching/hub/hooks",
    }
)
