"""What scripts are made of: functions that stand on their own, whose source is copied into each script as it is."""
