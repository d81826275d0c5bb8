import { renderMermaidSVG } from 'beautiful-mermaid';

/** A Mermaid diagram as an SVG that takes its colours from the page, so that nothing is drawn in the browser. */
export function diagram(source: string): string {
	// Its own styles would fetch a font. Those of the theme take their place.
	const svg = renderMermaidSVG(source, { padding: 8 })
		.replace(/<style>.*?<\/style>/s, '')
		.replace(/(<svg[^>]*) style="[^"]*"/, '$1');
	return `<div class="diagram" v-pre>${svg}</div>\n`;
}
