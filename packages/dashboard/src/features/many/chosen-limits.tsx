import type { SubUserLimits } from '@bursar/contract/dashboard';
import { Fieldset, Group } from '@mantine/core';
import { useState } from 'react';
import { serverNowMs } from '../../calls/server-clock.ts';
import classes from '../sub-users/sub-users.module.css';
import { LimitsFields } from '../terms/limits-fields.tsx';
import { termsTexts } from '../terms/texts.ts';
import { chosenLimits, LIMITS, type LimitName, type LimitTexts } from '../terms/typed-limits.ts';
import { manyTexts } from './texts.ts';

const EMPTY: LimitTexts = {
	day_bytes: '',
	month_bytes: '',
	total_bytes: '',
	connections: '',
	bytes_per_second: '',
	allowed_ips: '',
	expires_on: '',
	expires_at: '',
	ends_now: false,
};

interface Props {
	/** `undefined`: none is chosen, or one is wrong. */
	readonly onChoose: (limits: Partial<SubUserLimits> | undefined) => void;
}

/** Asks which limits are set, and to what. */
export function ChosenLimits({ onChoose }: Props) {
	const [names, setNames] = useState<readonly LimitName[]>([]);
	const [texts, setTexts] = useState(EMPTY);

	function tell(nextNames: readonly LimitName[], nextTexts: LimitTexts) {
		setNames(nextNames);
		setTexts(nextTexts);
		onChoose(nextNames.length === 0 ? undefined : chosenLimits(nextNames, nextTexts, serverNowMs()));
	}
	return (
		<>
			<Fieldset legend={manyTexts.whichLimits}>
				<Group gap="sm">
					{LIMITS.map((name) => (
						<label key={name}>
							<input
								type="checkbox"
								className={classes.select}
								checked={names.includes(name)}
								onChange={({ currentTarget: { checked } }) =>
									tell(
										LIMITS.filter((each) => (each === name ? checked : names.includes(each))),
										texts,
									)
								}
							/>
							{termsTexts.limitNames[name]}
						</label>
					))}
				</Group>
			</Fieldset>
			{names.length > 0 && (
				<LimitsFields texts={texts} onType={(next) => tell(names, next)} disabled={false} names={names} />
			)}
		</>
	);
}
