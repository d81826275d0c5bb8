import { SignInForm } from '../features/sign-in/components/sign-in-form.tsx';
import { Page } from '../frame/page.tsx';
import { signInTexts } from '../texts/sign-in.ts';

export function SignIn() {
	return (
		<Page title={signInTexts.title}>
			<SignInForm />
		</Page>
	);
}
