import { Anchor, Paper } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { Link } from 'wouter';
import classes from './home.module.css';

interface Props {
	readonly title: string;
	/** Where one can act, or see more. */
	readonly link: { readonly href: string; readonly text: string };
	readonly number: string;
	/** A sentence or two below the number. */
	readonly note: ReactNode;
	/** The trend. */
	readonly children: ReactNode;
}

/** A number that one looks at often, with its trend. */
export function NumberCard({ title, link, number, note, children }: Props) {
	const titleId = useId();
	return (
		<Paper component="section" aria-labelledby={titleId} withBorder className={classes.card}>
			<h2 id={titleId} className={classes.title}>
				{title}
			</h2>
			<div className={classes.number}>{number}</div>
			<div className={classes.note}>{note}</div>
			{children}
			<Anchor component={Link} href={link.href} size="sm">
				{link.text}
			</Anchor>
		</Paper>
	);
}
