import { CommandError, type Failure, printError } from '@bursar/terminal';
import { ConfigError } from '../config.ts';
import { CopyError } from '../store/copying/copy-error.ts';

/** Prints why a command has failed, and returns its exit code. */
export function reportFailure(error: unknown, asJson: boolean): number {
	const failure = failureOf(error);
	printError('bursar', failure, asJson);
	return failure.exitCode;
}

function failureOf(error: unknown): Failure {
	if (error instanceof CommandError) return error;
	if (error instanceof CopyError) return new CommandError(error.code, error.message);
	if (error instanceof ConfigError) return new CommandError('invalid_configuration', error.message);
	if (isAddressInUse(error)) return new CommandError('address_in_use', addressInUse(error));
	return new CommandError('failed', error instanceof Error ? error.message : String(error));
}

interface ListenError extends Error {
	readonly address: string;
	readonly port: number;
}

function isAddressInUse(error: unknown): error is ListenError {
	return error instanceof Error && (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

function addressInUse({ address, port }: ListenError): string {
	return `port ${port} of ${address} is in use: stop what listens there, or choose others with BURSAR_PORT and BURSAR_OPS_PORT`;
}
