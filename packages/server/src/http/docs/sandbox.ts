/**
 * The reference is a large script by others, on the origin of the dashboard. So it runs in a sandbox: in a frame with an
 * origin of its own, without cookies, storage or a way to other pages. It cannot send requests either. This script, in
 * the page around the frame, sends them for it: only those of the description, and never with a cookie.
 *
 * A content security policy would not do: a script can open a page of its own origin and act in it. With
 * `Access-Control-Allow-Origin`, each endpoint of the API would have to answer `OPTIONS`.
 */
export const senderScript = (paths: readonly string[]): string => `
const base = location.origin + location.pathname.replace(/\\/docs\\/$/, '');
const allowed = new Set(${JSON.stringify(paths)}.map((path) => base + path));
const frame = document.querySelector('iframe');
frame.src = 'reference' + location.hash;
addEventListener('message', async ({ source, data }) => {
	if (source !== frame.contentWindow) return;
	if (data.hash !== undefined) return history.replaceState(null, '', data.hash || location.pathname);
	try {
		if (!allowed.has(data.url.split('?')[0])) throw new Error('not a request of the description');
		const { method, headers, body } = data;
		const answer = await fetch(data.url, { method, headers, body, credentials: 'omit', redirect: 'error' });
		const { status, statusText } = answer;
		const text = await answer.text();
		source.postMessage({ id: data.id, text, init: { status, statusText, headers: [...answer.headers] } }, '*');
	} catch {
		source.postMessage({ id: data.id }, '*');
	}
});
`;

/**
 * Runs in the frame before the reference: gives its requests to the page around it. Storage ends with the page. The reference
 * does not take the server `.` of the document for a relative address, so it is told the whole one.
 */
export const SANDBOX_SCRIPT = `
const { dataset } = document.getElementById('api-reference');
const servers = [{ url: location.origin + location.pathname.replace(/\\/docs\\/[^/]*$/, '') }];
dataset.configuration = JSON.stringify({ ...JSON.parse(dataset.configuration), servers });
const waiting = [];
addEventListener('message', ({ source, data }) => {
	if (source !== parent) return;
	waiting[data.id]?.(data);
	delete waiting[data.id];
});
fetch = async (...args) => {
	const request = new Request(...args);
	const { url, method } = request;
	const body = (await request.text()) || undefined;
	const { text, init } = await new Promise((resolve) => {
		const id = waiting.push(resolve) - 1;
		parent.postMessage({ id, url, method, headers: [...request.headers], body }, '*');
	});
	if (!init) throw new TypeError('Failed to fetch');
	return new Response(text, init);
};
for (const name of ['localStorage', 'sessionStorage']) {
	const kept = new Map();
	const value = {
		getItem: (key) => kept.get(key) ?? null,
		setItem: (key, item) => void kept.set(key, String(item)),
		removeItem: (key) => void kept.delete(key),
		clear: () => kept.clear(),
		key: (index) => [...kept.keys()][index] ?? null,
		get length() {
			return kept.size;
		},
	};
	Object.defineProperty(window, name, { value });
}
for (const name of ['pushState', 'replaceState']) {
	const change = history[name].bind(history);
	history[name] = (...args) => {
		change(...args);
		parent.postMessage({ hash: location.hash }, '*');
	};
}
`;
