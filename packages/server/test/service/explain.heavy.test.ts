// In one process, because filling a database takes longer than what they check. In this order: `lists.ts` has the
// database as it was filled, the others change it.
import './explain/lists.ts';
import './explain/analyses.ts';
import './explain/versions.ts';
import './explain/costs.ts';
import './explain/console.ts';
