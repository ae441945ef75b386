-- One row: how often the price book has changed. A process that knows the prices of a version asks whether it still is this one.
create table price_book (version bigint not null);

insert into price_book values (0);
