// For test files beside others that need the processor at once; the processes that they start inherit it.
import os from 'node:os';

os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
