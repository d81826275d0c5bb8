import ipaddr from 'ipaddr.js';

/** Each machine in Azure can reach a host here that gives it secrets. The hosts of other clouds are in special networks. */
const CLOUD_HOSTS: ReadonlySet<string> = new Set(['168.63.129.16']);
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];

/**
 * Whether an address belongs to the public Internet. IPv6 addresses that contain an IPv4 address do not. `text` is in any
 * form, without brackets.
 */
export function isPublicAddress(text: string): boolean {
	if (!ipaddr.isValid(text)) return false;
	const address = ipaddr.process(text);
	if (address.range() !== 'unicast' || CLOUD_HOSTS.has(address.toString())) return false;
	return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_IPV6);
}
