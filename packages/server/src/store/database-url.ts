/** A PostgreSQL database, with every host that may be its primary. */
export interface DatabaseUrl {
	/** One URL for each host, alike but for it. They hold the password. */
	readonly hostUrls: readonly string[];
	/** For people to look at. */
	readonly masked: string;
}

const FORM =
	/^postgres(?:ql)?:\/\/(?:(?<user>[^@/?]*)@)?(?<hosts>[^/?@]*)(?<database>\/[^?]*)?(?:\?(?<settings>.*))?$/s;
/** We write, so no other server will do; each of these asks for just that. */
const PRIMARY = ['read-write', 'primary'];

/**
 * Reads `postgres://user:password@host:port,host:port/database?setting=value`, as libpq knows it. Throws,
 * without any part of the text, where it is none.
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
	// Ours stays as it is: by it, commands see whether a service is connected.
	parameters.delete('application_name');
	const rest = parameters.size > 0 ? `${database}?${parameters}` : database;
	const hostUrls = hosts.split(',').map((host) => {
		const url = `postgres://${user && `${user}@`}${host}${rest}`;
		if (!URL.canParse(url)) throw new Error('it names a host or a port that cannot be');
		return url;
	});
	const [name = ''] = user.split(':');
	return { hostUrls, masked: `postgres://${name && `${name}:***@`}${hosts}${database}` };
}
