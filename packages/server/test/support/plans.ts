import assert from 'node:assert/strict';
import { CompiledQuery } from 'kysely';
import type { Db } from '../../src/db/tables.ts';
import { GROWING } from './many-rows.ts';
import type { Statement } from './statements.ts';

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Plan Rows': number;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

export type Plans = ReturnType<typeof createPlans>;

/** Explains statements: the plans that PostgreSQL chooses. */
export function createPlans(db: Db) {
  /** All nodes of the plan. */
  async function explain({ sql, parameters }: Statement, options = ''): Promise<Plan[]> {
    const result = await db.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      CompiledQuery.raw(`explain (format json${options}) ${sql}`, [...parameters]),
    );
    const plan = result.rows[0]?.['QUERY PLAN'][0]?.Plan;
    assert.ok(plan);
    const nodes: Plan[] = [];
    const visit = (node: Plan) => {
      nodes.push(node);
      node.Plans?.forEach(visit);
    };
    visit(plan);
    return nodes;
  }

  /** Growing tables that the plan scans sequentially. */
  async function scanned(statement: Statement): Promise<string[]> {
    return (await explain(statement)).flatMap((node) =>
      node['Node Type'] === 'Seq Scan' && GROWING.test(node['Relation Name'] ?? '')
        ? [`${node['Relation Name']}: ${statement.sql}`]
        : [],
    );
  }

  async function scannedBy(statements: Statement[]): Promise<string[]> {
    const distinct = new Map(statements.map((statement) => [statement.sql, statement]));
    const found: string[] = [];
    for (const statement of distinct.values()) found.push(...(await scanned(statement)));
    return found;
  }

  /** Rows that the scans of a statement have read. */
  async function rowsRead(statement: Statement): Promise<number> {
    const nodes = await explain(statement, ', analyze');
    const scans = nodes.filter((node) => /Scan$/.test(node['Node Type']) && node['Node Type'] !== 'Bitmap Index Scan');
    return scans.reduce(
      (sum, node) =>
        sum + ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
      0,
    );
  }

  return { explain, rowsRead, scanned, scannedBy };
}

export function isPlanned({ sql }: Statement): boolean {
  // A statement that is prepared has its name in a comment before it.
  return /^\s*(--.*\s+)?(select|insert|update|delete|with)\b/i.test(sql) && !/pg_class|advisory/.test(sql);
}
