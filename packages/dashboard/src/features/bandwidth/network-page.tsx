import { useUrlState } from '../../lists/url-state.ts';
import { Page } from '../../page/page.tsx';
import { pageNames } from '../../shell/texts.ts';
import { BandwidthSection } from './bandwidth-section.tsx';
import { bandwidthFields } from './bandwidth-state.ts';
import { bandwidthTexts } from './texts.ts';

const DIVISIONS = ['edge', 'reseller'] as const;
const NETWORK = { kind: 'network' } as const;
const fields = bandwidthFields('7d', DIVISIONS);

/** The bandwidth of the whole network, for operators. */
export function NetworkPage() {
	const [state, change] = useUrlState(fields);
	return (
		<Page title={pageNames.bandwidth} lead={bandwidthTexts.networkLead}>
			<BandwidthSection whose={NETWORK} divisions={DIVISIONS} state={state} onChange={change} />
		</Page>
	);
}
