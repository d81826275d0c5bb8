import type { SubUserDetails } from '@bursar/contract/dashboard';
import { useState } from 'react';
import { ActButton } from '../../acts/act-button.tsx';
import { Done } from '../../page/done.tsx';
import { IfMay } from '../../page/if-may.tsx';
import { Section } from '../../page/section.tsx';
import { LimitsDialog } from './limits-dialog.tsx';
import { LimitsList } from './limits-list.tsx';
import { termsTexts } from './texts.ts';

/** The limits of a sub-user, with what of each is used. */
export function LimitsSection({ details }: { readonly details: SubUserDetails }) {
	const { limits, used } = details;
	const [done, setDone] = useState('');
	return (
		<Section
			title={termsTexts.limits}
			help="limit"
			lead={termsTexts.limitsLead}
			actions={
				<LimitsDialog
					details={details}
					onDone={setDone}
					button={(open) => (
						<IfMay path="/sub-users/limits">
							<ActButton variant="default" onClick={open}>
								{termsTexts.setLimits}
							</ActButton>
						</IfMay>
					)}
				/>
			}
		>
			<LimitsList limits={limits} used={used} />
			<Done>{done}</Done>
		</Section>
	);
}
