import { OPERATOR_API, type OperatorOperation, operatorOperations } from '@bursar/contract/operator';

const BY_PATH = new Map(
	Object.values<OperatorOperation>(operatorOperations).map((operation) => [OPERATOR_API + operation.path, operation]),
);

/** The call that is declared for a route. */
export function operationAt(path: string | undefined): OperatorOperation {
	const operation = BY_PATH.get(path ?? '');
	if (!operation) throw new Error('a route of the operator is not declared');
	return operation;
}
