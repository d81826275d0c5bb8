import { useServerNow } from '../../calls/server-clock.ts';
import { useUrlState } from '../../lists/url-state.ts';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { BandwidthSection } from './bandwidth-section.tsx';
import { bandwidthFields, timeOf } from './bandwidth-state.ts';
import { bandwidthTexts } from './texts.ts';
import { NetworkTopSection } from './top-section.tsx';

const DIVISIONS = ['edge', 'reseller'] as const;
const NETWORK = { kind: 'network' } as const;
const MINUTE_MS = 60_000;
const fields = bandwidthFields('7d', DIVISIONS);

/** The bandwidth of the whole network, for operators. */
export function NetworkPage() {
	const [state, change] = useUrlState(fields);
	const nowMs = useServerNow(MINUTE_MS);
	return (
		<Page title={pageNames.bandwidth} lead={bandwidthTexts.networkLead}>
			<BandwidthSection whose={NETWORK} divisions={DIVISIONS} state={state} onChange={change} />
			<NetworkTopSection time={timeOf(state, nowMs)} />
		</Page>
	);
}
