// The language that a reader has chosen in one example shows in all of them, on this page and on the next ones.
import { inBrowser, onContentUpdated } from 'vitepress';

const KEY = 'bursar-language';

export function keepChosenLanguage(): void {
	if (!inBrowser) return;
	addEventListener('change', ({ target }) => {
		if (!(target instanceof HTMLInputElement) || !target.matches('.vp-code-group input')) return;
		const before = target.getBoundingClientRect().top;
		const language = languageOf(target);
		localStorage.setItem(KEY, language);
		show(language);
		// Examples above may be longer now. What the reader looks at stays where it is.
		scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' });
	});
	onContentUpdated(() => show(localStorage.getItem(KEY)));
}

function show(language: string | null): void {
	for (const group of document.querySelectorAll('.vp-code-group')) {
		const inputs = [...group.querySelectorAll('input')];
		const chosen = inputs.findIndex((input) => languageOf(input) === language);
		if (chosen < 0) continue;
		for (const [index, input] of inputs.entries()) {
			input.checked = index === chosen;
			group.querySelector('.blocks')?.children[index]?.classList.toggle('active', index === chosen);
		}
	}
}

function languageOf(input: HTMLInputElement): string {
	return input.labels?.[0]?.textContent ?? '';
}
