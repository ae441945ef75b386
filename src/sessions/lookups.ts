import type { Db } from '../db/tables.ts';
import { createTogether } from '../lib/together.ts';
import { findSessions, findSessionsByRoom, type Session } from './store.ts';

/** More than one under way, so that a connection that has died holds up those alone who were asked on it. */
const MOST = { at_once: 1000, waiting: 10_000, under_way: 2 };

/** Finds one session, in one query with the others that are asked for at the same time; undefined when there is none. */
export function createLookups(db: Db) {
  return {
    byId: createTogether<string, Session | undefined>({
      doAll: (ids) => findEach(ids, 'id', (unique) => findSessions(db, unique)),
      most: MOST,
    }),
    byRoom: createTogether<string, Session | undefined>({
      doAll: (rooms) => findEach(rooms, 'room_name', (unique) => findSessionsByRoom(db, unique)),
      most: MOST,
    }),
  };
}

async function findEach(names: string[], column: 'id' | 'room_name', find: (names: string[]) => Promise<Session[]>) {
  const found = new Map((await find([...new Set(names)])).map((session) => [session[column], session]));
  return names.map((name) => found.get(name));
}
