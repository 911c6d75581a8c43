sweep_if_all_dead() { :; }
