import { QueryClientProvider } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Router } from 'wouter';
import { Branded } from './branded.tsx';
import { createQueryClient } from './calls/use-read.ts';
import { ProofProvider } from './features/proof/proof-provider.tsx';
import { PageShown } from './page/page.tsx';
import { Routes } from './routes.tsx';
import { FaultBoundary } from './shell/fault-boundary.tsx';

/** The whole dashboard. `nonce` is the one of this page's content security policy. */
export function App({ nonce }: { readonly nonce: string }) {
	const [client] = useState(createQueryClient);
	const isPageShown = useRef(false);
	return (
		<QueryClientProvider client={client}>
			<Branded nonce={nonce}>
				<FaultBoundary>
					<ProofProvider>
						<PageShown value={isPageShown}>
							<Router base="/dashboard">
								<Routes />
							</Router>
						</PageShown>
					</ProofProvider>
				</FaultBoundary>
			</Branded>
		</QueryClientProvider>
	);
}
