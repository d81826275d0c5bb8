import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/icons/IconArrowLeft';
import { createContext, type ReactNode, type RefObject, useContext, useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { Help, type Term } from '../help/help.tsx';
import { useBrand } from '../mark/use-brand.ts';
import { Name } from './name.tsx';
import classes from './page.module.css';
import { pageTexts } from './texts.ts';

interface Props {
	readonly title: string;
	/** One or two sentences below the title. */
	readonly lead?: ReactNode;
	/** A word in the title that is explained beside it. */
	readonly help?: Term;
	/** Buttons beside the title. */
	readonly actions?: ReactNode;
	readonly children?: ReactNode;
}

/** A page or a step of one: it names the document, and takes the focus when it replaces another one. */
export function Page({ title, lead, help, actions, children }: Props) {
	const heading = useRef<HTMLHeadingElement>(null);
	const isShown = useContext(PageShown);
	const service = useBrand()?.name;
	// A new title is a new step of the page.
	// biome-ignore lint/correctness/useExhaustiveDependencies: see above.
	useEffect(() => {
		if (isShown.current) heading.current?.focus();
		isShown.current = true;
	}, [title, isShown]);

	return (
		<Stack gap="lg">
			<title>{service === undefined ? title : pageTexts.title(title, service)}</title>
			<Group justify="space-between" align="flex-start" gap="md">
				<Stack gap={6} className={classes.heading}>
					<Group gap={6} wrap="nowrap">
						<Title order={1} size="h2" ref={heading} tabIndex={-1} className={classes.title}>
							<Name>{title}</Name>
						</Title>
						{help && <Help term={help} />}
					</Group>
					{lead !== undefined && <Text c="dimmed">{lead}</Text>}
				</Stack>
				{actions}
			</Group>
			{children}
		</Stack>
	);
}

/** Whether a page was shown already. The first one leaves the focus where the browser puts it. */
export const PageShown = createContext<RefObject<boolean>>({ current: false });

interface BackLinkProps {
	readonly href: string;
	readonly children: string;
}

/** Leads from one thing to the list of all. */
export function BackLink({ href, children }: BackLinkProps) {
	return (
		<Anchor component={Link} href={href} size="sm">
			<IconArrowLeft size={16} aria-hidden="true" className={classes.back} />
			{children}
		</Anchor>
	);
}
