/** A PostgreSQL database, with every host that may be its primary. */
export interface DatabaseUrl {
	/** One URL for each host. They hold the password. */
	readonly hostUrls: readonly string[];
	/** For messages: without the password. */
	readonly masked: string;
}

const FORM =
	/^postgres(?:ql)?:\/\/(?:(?<user>[^@/?]*)@)?(?<hosts>[^/?@]*)(?<database>\/[^?@]*)?(?:\?(?<settings>.*))?$/s;
/** The values of `target_session_attrs` that ask for a server that takes writes. */
const PRIMARY = ['read-write', 'primary'];

/**
 * Reads a URL as libpq does: `postgres://user:password@host:port,host:port/database?setting=value`. If it is not valid,
 * throws an error that shows no part of it.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl {
	const { user = '', hosts = '', database = '', settings = '' } = FORM.exec(text.trim())?.groups ?? {};
	if (database.length < 2) throw new Error('it must be of the form postgres://user:password@host:port/database');
	const parameters = new URLSearchParams(settings);
	const wanted = parameters.get('target_session_attrs');
	if (wanted !== null && !PRIMARY.includes(wanted)) {
		throw new Error(`target_session_attrs must be one of ${PRIMARY.join(', ')}: the service writes`);
	}
	parameters.delete('target_session_attrs');
	// Commands see by our own application name whether a service is connected.
	parameters.delete('application_name');
	const rest = parameters.size > 0 ? `${database}?${parameters}` : database;
	const hostUrls = hosts.split(',').map((host) => {
		const url = `postgres://${user && `${user}@`}${host}${rest}`;
		if (!URL.canParse(url)) throw new Error('it has an invalid host or port');
		return url;
	});
	const [name = ''] = user.split(':');
	return { hostUrls, masked: `postgres://${name && `${name}:***@`}${hosts}${database}` };
}
