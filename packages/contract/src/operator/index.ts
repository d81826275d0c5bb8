export { type OperatorErrorCode, operatorErrors } from './errors.ts';
export { operatorOpenApiDocument } from './openapi.ts';
export { type DataOf, type FailureOf, OPERATOR_API, type OperatorOperation, type RequestOf } from './operation.ts';
export { type OperatorOperationName, operatorOperations } from './operations.ts';
