import { type CSSVariablesResolver, MantineProvider, mergeThemeOverrides } from '@mantine/core';
import { type ReactNode, useEffect, useMemo } from 'react';
import { shadesOf } from './mark/shades.ts';
import { useBrand } from './mark/use-brand.ts';
import { readableColors, theme } from './theme.ts';

interface Props {
	/** The one of this page's content security policy. */
	readonly nonce: string;
	readonly children: ReactNode;
}

/** Gives all pages the colour of the service, and the tab of the browser its logo. */
export function Branded({ nonce, children }: Props) {
	const brand = useBrand();
	const color = brand?.color ?? null;
	const look = useMemo(() => (color === null ? OWN_LOOK : lookWith(color)), [color]);
	useTabIcon(brand?.logo ?? null);
	return (
		<MantineProvider {...look} defaultColorScheme="auto" getStyleNonce={() => nonce}>
			{children}
		</MantineProvider>
	);
}

const OWN_LOOK = { theme, cssVariablesResolver: readableColors };

function lookWith(color: string): typeof OWN_LOOK {
	const shades = shadesOf(color);
	/** On dark pages, the shade of buttons can be as dark as the page. */
	const cssVariablesResolver: CSSVariablesResolver = (merged) => {
		const variables = readableColors(merged);
		const buttons = { '--mantine-color-brand-filled': shades[6], '--mantine-color-brand-filled-hover': shades[7] };
		return { ...variables, dark: { ...variables.dark, ...buttons } };
	};
	return {
		theme: mergeThemeOverrides(theme, { primaryColor: 'brand', colors: { brand: shades } }),
		cssVariablesResolver,
	};
}

/** Takes the icons of the HTML away for as long as there is a logo. */
function useTabIcon(logo: string | null): void {
	useEffect(() => {
		if (logo === null) return undefined;
		const built = [...document.querySelectorAll('link[rel~="icon"], link[rel="apple-touch-icon"]')];
		const own = Object.assign(document.createElement('link'), { rel: 'icon', type: 'image/png', href: logo });
		for (const link of built) link.remove();
		document.head.append(own);
		return () => {
			own.remove();
			document.head.append(...built);
		};
	}, [logo]);
}
