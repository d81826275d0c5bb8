// The fonts are those of the reader's system.
import theme from 'vitepress/theme-without-fonts';
import { keepChosenLanguage } from './chosen-language.ts';
import './style.css';

export default { extends: theme, setup: keepChosenLanguage };
