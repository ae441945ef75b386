-- The words said in each call, for the search in its transcript: written in the background, so that no transcript waits for it.
-- Each row also has '@' and the MD5 of its user's id, so that a search reads the calls of that user only.
create table call_words (
  -- No reference: it would lock the rows of calls that are under way.
  session_id uuid primary key,
  words tsvector not null
);

create index call_words_by_word on call_words using gin (words);

-- The first calls found by the index of words. The planner does not know how many calls of one user have a word, and would
-- rather read the table where it expects many.
create function calls_with_words(search tsquery, before uuid, most integer) returns setof uuid language sql stable
  set enable_seqscan = off set enable_indexscan = off as
$$ select session_id from call_words where words @@ search and (before is null or session_id < before) limit most $$;

-- One row: how far the words are written, as a position in the stream of transcripts; sessions of before the positions are
-- read from the newest on, until backfill is null.
create table call_words_progress (seen text not null, backfill uuid);

insert into call_words_progress values ('1', 'ffffffff-ffff-ffff-ffff-ffffffffffff');
