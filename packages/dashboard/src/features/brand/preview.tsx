import type { ShownBrand } from '@bursar/contract/dashboard';
import { DEFAULT_THEME, Group, Stack, Text } from '@mantine/core';
import { BrandName } from '../../mark/mark.tsx';
import { shadesOf } from '../../mark/shades.ts';
import classes from './brand.module.css';
import { brandTexts } from './texts.ts';

/** How pages look with this name, colour and logo, in light and in dark. */
export function Preview({ brand }: { readonly brand: ShownBrand }) {
	const shades = brand.color === null ? DEFAULT_THEME.colors.indigo : shadesOf(brand.color);
	// The usual colour has the same buttons on dark pages.
	const darkButton = shades[brand.color === null ? 7 : 6];
	return (
		<section className={classes.preview} aria-label={brandTexts.preview}>
			<Sheet title={brandTexts.onLight} brand={brand} button={shades[7]} link={shades[7]} />
			<Sheet title={brandTexts.onDark} brand={brand} button={darkButton} link={shades[4]} isDark />
		</section>
	);
}

interface SheetProps {
	readonly title: string;
	readonly brand: ShownBrand;
	readonly button: string | undefined;
	readonly link: string | undefined;
	readonly isDark?: boolean;
}

function Sheet({ title, brand, button, link, isDark = false }: SheetProps) {
	return (
		<Stack gap="sm" className={classes.sheet} data-light={!isDark || undefined} data-dark={isDark || undefined}>
			<Text size="xs">{title}</Text>
			<BrandName brand={brand} {...(button !== undefined && { color: button })} />
			<Group gap="md">
				<span className={classes.button} style={{ background: button }}>
					{brandTexts.aButton}
				</span>
				<span className={classes.link} style={{ color: link }}>
					{brandTexts.aLink}
				</span>
			</Group>
		</Stack>
	);
}
