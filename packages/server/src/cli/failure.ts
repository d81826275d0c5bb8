import { CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { CopyError } from '../store/copy.ts';
import { CommandError, printError } from './output.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

/** Says why a command has failed, and gives the exit code for that. */
export function reportFailure(error: unknown, asJson: boolean): number {
	if (error instanceof CommanderError) {
		const isHelp = error.code === 'commander.help';
		if (!isHelp)
			printError('usage', `${error.message.replace(/^error: /, '').replaceAll('\n', ' ')} (see bursar --help)`, asJson);
		else if (asJson) printError('usage', 'a command is missing (see bursar --help)', asJson);
		return EXIT_USAGE;
	}
	if (error instanceof CommandError) {
		printError(error.code, error.message, asJson, error.done);
		return error.isUsage ? EXIT_USAGE : EXIT_FAILURE;
	}
	if (error instanceof CopyError) printError(error.code, error.message, asJson);
	else if (error instanceof ConfigError) printError('invalid_configuration', error.message, asJson);
	else if (isAddressInUse(error)) printError('address_in_use', addressInUse(error), asJson);
	else printError('failed', error instanceof Error ? error.message : String(error), asJson);
	return EXIT_FAILURE;
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
