import type { ShownBrand } from '@bursar/contract/dashboard';
import { PRODUCT_NAME } from '@bursar/contract/limits';
import { Group, Text } from '@mantine/core';
import { useState } from 'react';
import classes from './mark.module.css';
import { useBrand } from './use-brand.ts';

/** The name of the service with its mark. Until it is known, it has its room. */
export function ProductName({ isCompact }: Pick<Props, 'isCompact'>) {
	const brand = useBrand();
	return brand ? <BrandName brand={brand} isCompact={isCompact} /> : <div style={{ height: 30 }} />;
}

interface Props {
	readonly brand: Pick<ShownBrand, 'name' | 'logo'>;
	/** Whether it stands in the header, which is small on a phone. */
	readonly isCompact?: boolean | undefined;
	/** The colour of a mark that is no logo, if not the one of buttons. */
	readonly color?: string;
}

export function BrandName({ brand: { name, logo }, isCompact = false, color }: Props) {
	return (
		<Group gap={8} wrap="nowrap" className={`${classes.product} ${isCompact ? classes.compact : ''}`}>
			{logo === null ? <Mark name={name} color={color} /> : <Logo key={logo} src={logo} />}
			<Text className={classes.name}>{name}</Text>
		</Group>
	);
}

/** The name stands beside it. Another process of the service may not have it yet: then it is left out. */
function Logo({ src }: { readonly src: string }) {
	const [isMissing, setMissing] = useState(false);
	if (isMissing) return null;
	return <img src={src} alt="" className={classes.logo} onError={() => setMissing(true)} />;
}

interface MarkProps {
	readonly name: string;
	readonly color: string | undefined;
}

/** A letter b around a coin, as in `mark.svg` for the tab of the browser; for another name, its first letter. */
function Mark({ name, color = 'var(--mantine-primary-color-filled)' }: MarkProps) {
	return (
		<svg width={26} height={26} style={{ flex: 'none' }} viewBox="0 0 32 32" aria-hidden="true">
			<rect width="32" height="32" rx="8" fill={color} />
			{name === PRODUCT_NAME ? (
				<>
					<rect x="8.5" y="6" width="3.5" height="20" rx="1.75" fill="#fff" />
					<circle cx="17.5" cy="19.5" r="5.25" fill="none" stroke="#fff" strokeWidth="3.5" />
					<circle cx="17.5" cy="19.5" r="1.5" fill="#fff" />
				</>
			) : (
				<text x="16" y="23" textAnchor="middle" fontSize="20" fontWeight="700" fill="#fff">
					{Array.from(name)[0]?.toLocaleUpperCase()}
				</text>
			)}
		</svg>
	);
}
