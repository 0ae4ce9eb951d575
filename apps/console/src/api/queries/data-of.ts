import { ApiProblem } from '../problem.ts';

/** The data of a call, which is there if it resolves: refused calls reject. */
export async function dataOf<Data>(call: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await call;
  if (data === undefined) throw new ApiProblem({ status: 0, code: 'no_data', message: '' });
  return data;
}
