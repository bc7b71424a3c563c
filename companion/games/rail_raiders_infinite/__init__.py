"""Rail Raiders Infinite: a train robbery with poker dice, for 2 to 4 players."""
