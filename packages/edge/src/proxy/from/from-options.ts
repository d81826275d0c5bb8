import { UsageError } from '@bursar/terminal';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { addStateMetrics } from '../state-metrics.ts';
import { type ListedAddress, readFromList } from './from-list.ts';
import { createOutgoingAddresses, type OutgoingAddresses, type OutgoingState } from './outgoing.ts';

/** The options of `bursar-edge proxy` about outgoing addresses. */
export interface FromOptions {
	readonly from?: readonly ListedAddress[];
	readonly fromOption?: true;
}

export function addFromOptions(command: Command): Command {
	return command
		.option('--from <list>', 'addresses and networks from which connections to destinations leave', fromList)
		.option('--from-option', 'let clients choose one of them');
}

/** `undefined`: the system chooses. Throws a `UsageError`. */
export function outgoingOf(
	{ from, fromOption }: FromOptions,
	hasUpstreams: boolean,
	logger: Logger,
): OutgoingAddresses | undefined {
	if (!from) {
		if (fromOption) throw new UsageError('--from-option: it needs --from');
		return undefined;
	}
	if (hasUpstreams) throw new UsageError('--from: with upstreams, connections leave from there');
	const changed = ({ isUp, number, address }: OutgoingState) => {
		if (isUp) logger.info({ from: number, address }, 'an outgoing address works again');
		else logger.warn({ from: number, address }, 'an outgoing address cannot be used, and is left out');
	};
	return createOutgoingAddresses({ list: from, takesFrom: fromOption ?? false, changed });
}

/** Adds metrics about outgoing addresses, read at each request for metrics. */
export function addFromMetrics(states: readonly OutgoingState[], registry: Registry): void {
	const name = 'bursar_edge_from';
	const up = '1, or 0 while a worker leaves the outgoing address or network out.';
	const failures = 'How often no connection could be bound to the outgoing address.';
	addStateMetrics(registry, { name, up, failures }, states);
}

function fromList(text: string): readonly ListedAddress[] {
	try {
		return readFromList(text);
	} catch (cause) {
		throw new UsageError(`--from: ${(cause as Error).message}`);
	}
}
