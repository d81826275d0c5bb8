import type { TokenState } from '@bursar/contract/dashboard';
import { Stack } from '@mantine/core';
import { Ago } from '../../../frame/ago.tsx';
import { ExplainedButton } from '../../../frame/explained-button.tsx';
import { Facts } from '../../../frame/facts.tsx';
import { Moment } from '../../../frame/moment.tsx';
import { Section } from '../../../frame/section.tsx';
import { tokenTexts } from '../../../texts/token.ts';
import { makerName } from '../maker-name.ts';
import { PreviousTokenNote } from './previous-token-note.tsx';
import classes from './token.module.css';

interface Props {
	readonly state: TokenState;
	readonly email: string;
	readonly onRotate: () => void;
}

/** The token as far as anybody may see it, and the button that rotates it. */
export function CurrentTokenSection({ state: { current, previous }, email, onRotate }: Props) {
	return (
		<Section title={tokenTexts.current}>
			<Stack gap="lg">
				{/* A new tail is read aloud when it appears. */}
				<p className={classes.tail} role="status" aria-label={tokenTexts.tailLabel(current.tail)}>
					<span aria-hidden="true">
						brs_<span className={classes.hidden}>••••••••</span>
						{current.tail}
					</span>
				</p>
				<Facts
					facts={[
						{ name: tokenTexts.made, value: <Moment at={current.made} /> },
						{ name: tokenTexts.madeBy, value: makerName(current.made_by, email) },
						{
							name: tokenTexts.lastUsed,
							value: current.last_used === null ? tokenTexts.never : <Ago at={current.last_used} />,
						},
					]}
				/>
				{previous && <PreviousTokenNote previous={previous} rotated={current.made} />}
				<ExplainedButton reason={previous ? tokenTexts.rotationPending : undefined} onClick={onRotate}>
					{tokenTexts.rotate}
				</ExplainedButton>
			</Stack>
		</Section>
	);
}
