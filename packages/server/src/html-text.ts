const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;',
};

/** A text as HTML shows it, between tags and in quotes. */
export function htmlText(text: string): string {
	return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
