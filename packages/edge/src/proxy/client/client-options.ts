import { normalizeAllowedIp } from '@bursar/contract/allowed-ips';
import { UsageError } from '@bursar/terminal';
import type { Command } from 'commander';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { addNumber } from '../../agent/agent-metrics.ts';
import { type Certificate, openCertificate } from './certificate.ts';

/** The options of `bursar-edge proxy` about TLS and load balancers. */
export interface ClientOptions {
	readonly tlsCertificate?: string;
	readonly tlsKey?: string;
	readonly proxyProtocolFrom?: readonly string[];
}

/** @bound Addresses and networks in `--proxy-protocol-from`: the proxy does not start with more. */
const MAX_NETWORKS = 100;

export function addClientOptions(command: Command): Command {
	return command
		.option('--tls-certificate <file>', 'also speak TLS on this port: PEM, with those that have signed it')
		.option('--tls-key <file>', 'the key of that certificate: PEM, without a passphrase')
		.option('--proxy-protocol-from <list>', 'addresses and networks of load balancers that send PROXY v2', networks);
}

/** `undefined` without TLS. Throws a `UsageError` that shows nothing of the files. */
export function certificateOf(
	{ tlsCertificate, tlsKey }: ClientOptions,
	{ mayBeOpen, logger }: { readonly mayBeOpen: boolean; readonly logger: Logger },
): Certificate | undefined {
	if (tlsCertificate === undefined && tlsKey === undefined) return undefined;
	if (tlsCertificate === undefined || tlsKey === undefined) {
		throw new UsageError('--tls-certificate and --tls-key: one of them is missing');
	}
	try {
		return openCertificate({ certificateFile: tlsCertificate, keyFile: tlsKey, mayBeOpen, logger });
	} catch (cause) {
		throw new UsageError(`--tls-certificate, --tls-key: ${(cause as Error).message}`);
	}
}

export function addCertificateMetric(certificate: Certificate | undefined, registry: Registry): void {
	if (!certificate) return;
	const help = 'When the certificate for TLS expires, in seconds since 1970.';
	const read = () => certificate.expiresAtSeconds;
	addNumber(registry, 'bursar_edge_proxy_certificate_expires_seconds', help, read, 'min');
}

function networks(text: string): readonly string[] {
	const list = text.split(',').map((one) => normalizeAllowedIp(one.trim()));
	if (list.length <= MAX_NETWORKS && list.every((network) => network !== undefined)) return list;
	throw new UsageError(
		`--proxy-protocol-from: up to ${MAX_NETWORKS} addresses or networks are needed, like 192.0.2.1,2001:db8::/64`,
	);
}
