"""Steps that several exercises share, as texts, and the functions in them."""
