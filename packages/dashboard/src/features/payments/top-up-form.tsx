import type { OfferedProvider } from '@bursar/contract/dashboard';
import type { TopUp } from '@bursar/contract/payment-schemas';
import { PROVIDER_TITLES } from '@bursar/contract/payments';
import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { ActForm } from '../../acts/act-form.tsx';
import { Panel } from '../../acts/panel.tsx';
import { type Act, useAct } from '../../acts/use-act.ts';
import { useSuspendedReason } from '../../acts/use-suspended-reason.ts';
import { moneyText } from '../../format/money.ts';
import { isUnfinished } from '../../format/number.ts';
import { AmountField } from '../../forms/amount-field.tsx';
import { topUpPath } from '../../page/paths.ts';
import { payUrl } from './pay-url.ts';
import { paymentTexts, topUpsTexts } from './texts.ts';
import { type Bounds, type TypedTopUp, typedTopUp } from './typed-top-up.ts';
import { useRefreshTopUps } from './use-top-ups.ts';

interface Props {
	/** At least one. */
	readonly providers: readonly OfferedProvider[];
	readonly bounds: Bounds;
}

/** Begins a payment, and leads to the page of the provider. */
export function TopUpForm({ providers, bounds }: Props) {
	const refresh = useRefreshTopUps();
	const [, navigate] = useLocation();
	const act = useAct({
		path: '/top-ups/create',
		startsOpen: true,
		showsAnswer: true,
		done: async (payment) => {
			await refresh(payment);
			if (!payment) return;
			const url = payUrl(payment.url);
			if (url === undefined) navigate(topUpPath(payment.id));
			else window.location.assign(url);
		},
	});
	if (act.answer) return <Leaving payment={act.answer} onAnother={act.open} />;
	if (!act.isOpen) return <Another onAnother={act.open} />;
	return <Fields act={act} providers={providers} bounds={bounds} />;
}

function Another({ onAnother }: { readonly onAnother: () => void }) {
	return (
		<Button variant="default" w="fit-content" onClick={onAnother}>
			{topUpsTexts.another}
		</Button>
	);
}

/** Stays for who comes back with the back button. */
function Leaving({ payment, onAnother }: { readonly payment: TopUp; readonly onAnother: () => void }) {
	const provider = PROVIDER_TITLES[payment.provider];
	const url = payUrl(payment.url);
	return (
		<Panel>
			<Text size="sm" role="status">
				{url !== undefined && topUpsTexts.leaving(provider)} {topUpsTexts.leavingHint(provider)}
			</Text>
			<Group gap="sm">
				{url !== undefined && (
					<Button component="a" href={url}>
						{paymentTexts.continue(provider)}
					</Button>
				)}
				<Another onAnother={onAnother} />
			</Group>
		</Panel>
	);
}

function Fields({ act, providers, bounds }: Props & { readonly act: Act<'/top-ups/create'> }) {
	const suspended = useSuspendedReason();
	const [text, setText] = useState('');
	const [isLeft, setLeft] = useState(false);
	const [chosen, setChosen] = useState(providers[0]?.provider);
	const offered = providers.find(({ provider }) => provider === chosen) ?? (providers[0] as OfferedProvider);
	const { provider } = offered;
	const title = PROVIDER_TITLES[provider];
	const typed = typedTopUp(text, bounds);
	const isRight = typed.state === 'right';
	return (
		<ActForm
			isOnPage
			act={act}
			body={isRight && suspended === undefined ? { provider, amount: typed.cents } : undefined}
			action={isRight ? topUpsTexts.beginAmount(moneyText(typed.cents), title) : topUpsTexts.begin(title)}
			lost={topUpsTexts.lost}
			repeated={topUpsTexts.repeated}
		>
			<Stack maw={440}>
				{suspended !== undefined && <Alert color="red">{suspended}</Alert>}
				{offered.is_test && <Alert color="yellow">{paymentTexts.tests(title)}</Alert>}
				<AmountField
					label={topUpsTexts.amountField}
					description={topUpsTexts.bounds(moneyText(bounds.min), moneyText(bounds.max))}
					error={isUnfinished(text) && !isLeft ? undefined : problemText(typed, bounds, isLeft)}
					value={text}
					onType={(next) => {
						setText(next);
						setLeft(false);
					}}
					onBlur={() => setLeft(true)}
					// The form is not sent then, and something must say why.
					onKeyDown={({ key }) => {
						if (key === 'Enter') setLeft(true);
					}}
					disabled={act.isBusy || suspended !== undefined}
				/>
				{providers.length > 1 && (
					<Radio.Group
						label={topUpsTexts.providerField}
						value={provider}
						onChange={(value) => setChosen(providers.find((each) => each.provider === value)?.provider)}
					>
						<Stack gap="xs" mt="xs">
							{providers.map((each) => (
								<Radio
									key={each.provider}
									value={each.provider}
									label={PROVIDER_TITLES[each.provider]}
									description={topUpsTexts.howPaid[each.provider]}
									disabled={act.isBusy || suspended !== undefined}
								/>
							))}
						</Stack>
					</Radio.Group>
				)}
			</Stack>
		</ActForm>
	);
}

/** While it is typed, a small amount may become a larger one. */
function problemText(typed: TypedTopUp, { min, max }: Bounds, isLeft: boolean): string | undefined {
	if (typed.state !== 'wrong') return undefined;
	switch (typed.problem) {
		case 'unreadable':
			return topUpsTexts.problems.unreadable;
		case 'too_small':
			return isLeft ? topUpsTexts.problems.too_small(moneyText(min)) : undefined;
		case 'too_large':
			return topUpsTexts.problems.too_large(moneyText(max));
	}
}
