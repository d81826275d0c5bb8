import './styles.css';
import { setNonce } from 'get-nonce';
import { speak } from './preferences/catalogue.ts';
import { language } from './preferences/language.ts';

/** Loads the texts of another language first, because the code of the pages reads its texts while it is loaded. */
async function begin(): Promise<void> {
	const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
	// The scroll lock of dialogs makes style elements of its own.
	setNonce(nonce);
	document.documentElement.lang = language;
	if (language === 'de') speak((await import('./german.json')).default);
	const { start } = await import('./start.tsx');
	start(nonce);
}

void begin();
