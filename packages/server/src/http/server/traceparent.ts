const FORM = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/**
 * The trace id of a `traceparent` header (W3C Trace Context, section 3.2); `undefined` if the header does not have that
 * form. Later versions may add fields at the end. Version `ff` and ids of zeros are invalid. Node joins repeated headers
 * with a comma, which no valid one contains.
 */
export function traceIdOf(header: string | undefined): string | undefined {
	const [, version, traceId, parentId, more] = FORM.exec(header ?? '') ?? [];
	if (traceId === undefined || parentId === undefined || version === 'ff') return undefined;
	if (version === '00' && more !== undefined) return undefined;
	if (/^0+$/.test(traceId) || /^0+$/.test(parentId) || more?.includes(',')) return undefined;
	return traceId;
}
