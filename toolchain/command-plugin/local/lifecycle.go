package local

// Names of the variables that hand a command the output of the one before it.
const (
	previousStdout = "PULUMI_COMMAND_STDOUT"
	previousStderr = "PULUMI_COMMAND_STDERR"
)

// Lifecycle says which command runs when.
type Lifecycle struct {
	Triggers []any   `pulumi:"triggers,optional" provider:"replaceOnChanges"`
	Create   *string `pulumi:"create,optional"`
	Update   *string `pulumi:"update,optional"`
	Delete   *string `pulumi:"delete,optional"`
}

// OnUpdate is the command of an update: create, where no update is given; nil is none.
func (l Lifecycle) OnUpdate() *string {
	if l.Update != nil {
		return l.Update
	}
	return l.Create
}

// Output is what a command printed, without the last line end.
type Output struct {
	Stdout string `pulumi:"stdout"`
	Stderr string `pulumi:"stderr"`
}

// Previous is the environment that hands this output to the next command; enabled is the input
// addPreviousOutputInEnv, on by default.
func (o Output) Previous(enabled *bool) map[string]string {
	variables := map[string]string{}
	if enabled != nil && !*enabled {
		return variables
	}
	if o.Stdout != "" {
		variables[previousStdout] = o.Stdout
	}
	if o.Stderr != "" {
		variables[previousStderr] = o.Stderr
	}
	return variables
}
