-- Whether a call is recorded, as whoever started it has asked; null: as its agent says.
alter table sessions add column record boolean;
