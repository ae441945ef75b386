-- Cleaning up is recurring work, due when a process of this release starts.
delete from leases where name in ('retention', 'retention_rest');
