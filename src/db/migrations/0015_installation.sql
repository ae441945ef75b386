-- One row: by it a service is told from another one, as by the doctor.
create table installation (id uuid not null default gen_random_uuid());

insert into installation default values;
