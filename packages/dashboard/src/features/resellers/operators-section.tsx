import { usePresence } from '../../calls/presence.ts';
import { useRead } from '../../calls/use-read.ts';
import { Answered } from '../../page/answered.tsx';
import { Placeholder } from '../../page/loading.tsx';
import { Section } from '../../page/section.tsx';
import { InvitePerson } from './invite-person.tsx';
import { PeopleList } from './people-section.tsx';
import { peopleTexts, resellerTexts } from './texts.ts';

/** The height of one person. */
const HEIGHT = 56;

/** Who looks after the whole service. */
export function OperatorsSection() {
	const query = useRead('/operator/people', {});
	const ownEmail = usePresence().data?.person?.email;
	return (
		<Section
			title={peopleTexts.operators}
			lead={peopleTexts.operatorsLead}
			actions={<InvitePerson reseller={null}>{resellerTexts.inviteOperator}</InvitePerson>}
		>
			<Answered query={query} skeleton={<Placeholder height={HEIGHT} />}>
				{({ operators }) => <PeopleList people={operators} reseller={null} ownEmail={ownEmail} />}
			</Answered>
		</Section>
	);
}
