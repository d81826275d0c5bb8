import { changeOperations } from './changes.ts';
import { edgeOperations } from './edges.ts';
import { moneyOperations } from './money.ts';
import type { OperatorOperation } from './operation.ts';
import { peopleOperations } from './people.ts';
import { resellerOperations } from './resellers.ts';
import { subUserOperations } from './sub-users.ts';
import { tokenOperations } from './tokens.ts';
import { topUpOperations } from './top-ups.ts';
import { usageOperations } from './usage.ts';

/** Every call of the operator's API, by its name in generated clients. */
export const operatorOperations = {
	...resellerOperations,
	...moneyOperations,
	...topUpOperations,
	...tokenOperations,
	...peopleOperations,
	...edgeOperations,
	...subUserOperations,
	...usageOperations,
	...changeOperations,
} as const satisfies Readonly<Record<string, OperatorOperation>>;

export type OperatorOperationName = keyof typeof operatorOperations;
