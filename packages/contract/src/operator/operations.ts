import { changeOperations } from './changes.ts';
import type { OperatorOperation } from './operation.ts';
import { moneyOperations, resellerOperations } from './resellers.ts';

/** Every call of the operator's API, by its name in generated clients. */
export const operatorOperations = {
	...resellerOperations,
	...moneyOperations,
	...changeOperations,
} as const satisfies Readonly<Record<string, OperatorOperation>>;

export type OperatorOperationName = keyof typeof operatorOperations;
