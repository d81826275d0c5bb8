import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type Ref, useId } from 'react';
import { Help, type Term } from '../help/help.tsx';
import classes from './page.module.css';

interface Props {
	readonly title: string;
	/** A sentence below the title. */
	readonly lead?: ReactNode;
	/** A word in the title that is explained beside it. */
	readonly help?: Term;
	/** Buttons beside the title. */
	readonly actions?: ReactNode;
	/** Whether its buttons destroy something. */
	readonly isDangerous?: boolean;
	/** A `ref` of the title, which takes the focus if the element that had it is gone. */
	readonly titleRef?: Ref<HTMLHeadingElement>;
	/** Links to more. They stand at the bottom, also if the cards beside it are higher. */
	readonly footer?: ReactNode;
	readonly children?: ReactNode;
}

/** A part of a page that is about one thing. */
export function Section({ title, lead, help, actions, isDangerous = false, titleRef, footer, children }: Props) {
	const titleId = useId();
	return (
		<Paper
			component="section"
			aria-labelledby={titleId}
			withBorder
			p={{ base: 'md', sm: 'lg' }}
			className={classes.section}
			data-dangerous={isDangerous || undefined}
		>
			<Stack gap="md" className={classes.content}>
				<Group justify="space-between" align="flex-start" gap="sm">
					<Stack gap={4} className={classes.heading}>
						<Group gap={4} wrap="nowrap">
							<Title order={2} size="h4" id={titleId} ref={titleRef} tabIndex={-1} className={classes.title}>
								{title}
							</Title>
							{help && <Help term={help} />}
						</Group>
						{lead !== undefined && (
							<Text c="dimmed" size="sm">
								{lead}
							</Text>
						)}
					</Stack>
					{actions}
				</Group>
				{children}
				{footer && (
					<Group gap="8px 16px" className={classes.footer}>
						{footer}
					</Group>
				)}
			</Stack>
		</Paper>
	);
}
