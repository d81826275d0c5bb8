/** `1.0.0-rc.1` as Python's packages write it: `1.0.0rc1`. */
export function pythonVersion(version: string): string {
	const [, release, stage, count] = /^(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.(\d+))?$/.exec(version) ?? [];
	if (release === undefined) throw new Error(`${version} has no form for Python.`);
	return stage === undefined ? release : `${release}${{ alpha: 'a', beta: 'b' }[stage] ?? stage}${count}`;
}
