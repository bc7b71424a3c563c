"""What the machine does: each kind of job, what is in force meanwhile, and the train that jobs change."""
