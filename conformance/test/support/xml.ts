import assert from 'node:assert/strict';

export interface XmlElement {
	readonly name: string;
	readonly attributes: Readonly<Record<string, string>>;
	readonly children: XmlElement[];
	text: string;
}

const TAG = /<(\/?)([A-Za-z][\w.-]*)((?:\s+[A-Za-z][\w.:-]*="[^"<]*")*)\s*(\/?)>/y;
const TEXT = /[^<>]+/y;

/** Reads the XML that reports use, and throws for anything else. */
export function parseXml(xml: string): XmlElement {
	const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
	assert.ok(xml.startsWith(declaration), 'it begins with the declaration');
	// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that XML cannot carry
	assert.doesNotMatch(xml, /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/);
	const root: XmlElement = { name: '', attributes: {}, children: [], text: '' };
	const open = [root];
	for (let at = declaration.length; at < xml.length; ) {
		const inner = open.at(-1) as XmlElement;
		TAG.lastIndex = at;
		TEXT.lastIndex = at;
		const tag = TAG.exec(xml);
		const text = tag ? undefined : TEXT.exec(xml)?.[0];
		if (text !== undefined) inner.text += unescapeXml(text);
		else if (!tag) assert.fail(`neither a tag nor text at ${xml.slice(at, at + 80)}`);
		else if (tag[1]) assert.equal(open.pop()?.name, tag[2], 'the closed tag is open');
		else {
			const element = { name: tag[2] as string, attributes: parseAttributes(tag[3] ?? ''), children: [], text: '' };
			inner.children.push(element);
			if (!tag[4]) open.push(element);
		}
		at += (tag?.[0] ?? text ?? '').length;
	}
	assert.equal(open.length, 1, 'every tag is closed');
	assert.equal(root.children.length, 1);
	return root.children[0] as XmlElement;
}

function parseAttributes(text: string): Record<string, string> {
	const pairs = Array.from(text.matchAll(/([\w.:-]+)="([^"]*)"/g), ([, name = '', value = '']) => {
		return [name, unescapeXml(value)] as const;
	});
	assert.equal(new Set(pairs.map(([name]) => name)).size, pairs.length, 'no attribute appears twice');
	return Object.fromEntries(pairs);
}

function unescapeXml(text: string): string {
	assert.doesNotMatch(text, /&(?!(?:amp|lt|gt|quot|#10);)/, 'every ampersand is escaped');
	return text
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&#10;', '\n')
		.replaceAll('&amp;', '&');
}
