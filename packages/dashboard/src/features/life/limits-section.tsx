import type { SubUserDetails } from '@bursar/contract/dashboard';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { IfMay } from '../../page/if-may.tsx';
import { Section } from '../../page/section.tsx';
import classes from './life.module.css';
import { LimitsDialog } from './limits-dialog.tsx';
import { LimitsList } from './limits-list.tsx';
import { lifeTexts } from './texts.ts';

/** The limits of a sub-user, with what of each is used. */
export function LimitsSection({ details }: { readonly details: SubUserDetails }) {
	const { limits, used } = details;
	const [done, setDone] = useState('');
	return (
		<Section
			title={lifeTexts.limits}
			help="limit"
			lead={lifeTexts.limitsLead}
			actions={
				<LimitsDialog
					details={details}
					onDone={setDone}
					button={(open) => (
						<IfMay path="/sub-users/limits">
							<Button variant="default" onClick={open}>
								{lifeTexts.setLimits}
							</Button>
						</IfMay>
					)}
				/>
			}
		>
			<LimitsList limits={limits} used={used} />
			<p className={classes.status} role="status">
				{done}
			</p>
		</Section>
	);
}
